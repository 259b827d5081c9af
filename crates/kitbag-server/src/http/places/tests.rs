//! Which connection must go when all places are taken.

use std::net::Ipv4Addr;

use super::*;

const FEW: ConnectionLimits = ConnectionLimits {
    all: 6,
    of_address: 4,
    strangers: 3,
    strangers_of_address: 2,
};

fn address(n: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(10, 0, 0, n))
}

fn left(place: &Place) -> bool {
    place.leave.is_cancelled()
}

#[test]
fn sec_4_the_stranger_that_has_waited_longest_makes_room() {
    let places = Places::new(FEW, true);
    let [first, second, third] = [(); 3].map(|()| places.take(address(1)).unwrap());
    assert_eq!([left(&first), left(&second), left(&third)], [true, false, false]);
    let others: Vec<_> = (2..10).map(|n| places.take(address(n)).unwrap()).collect();
    assert!(
        left(&second) && left(&third),
        "strangers of all addresses count too"
    );
    assert_eq!(others.iter().filter(|place| !left(place)).count(), 3);
}

#[test]
fn sec_4_strangers_never_keep_out_who_has_a_key() {
    let places = Places::new(FEW, true);
    let known = places.take(address(1)).unwrap();
    known.is_known();
    let strangers: Vec<_> = (0..50).map(|_| places.take(address(1)).unwrap()).collect();
    assert!(!left(&known), "it waits, and strangers go first");
    let late = places.take(address(1)).unwrap();
    late.is_known();
    assert!(!left(&late) && !left(&known));
    drop(strangers);
}

#[test]
fn sec_4_a_stranger_who_is_being_answered_can_be_ended_and_others_cannot() {
    let places = Places::new(FEW, true);
    let deaf: Vec<_> = (0..2).map(|_| places.take(address(1)).unwrap()).collect();
    let _answers: Vec<_> = deaf.iter().map(Place::begin).collect();
    let late = places.take(address(1)).unwrap();
    assert!(
        left(&deaf[0]) && !left(&late),
        "without a key nobody holds a place"
    );

    let places = Places::new(FEW, false);
    let busy: Vec<_> = (0..4).map(|_| places.take(address(1)).unwrap()).collect();
    let mut answers: Vec<_> = busy.iter().map(Place::begin).collect();
    assert!(
        places.take(address(1)).is_none(),
        "all of this address are being answered"
    );
    let other = places.take(address(2)).expect("another address has room");
    answers.remove(1);
    let late = places.take(address(1)).expect("one of them waits again");
    assert!(left(&busy[1]) && !left(&other) && !left(&late));
}

#[test]
fn sec_4_who_does_not_take_the_answer_makes_room() {
    let places = Places::new(FEW, false);
    let busy: Vec<_> = (0..4).map(|_| places.take(address(1)).unwrap()).collect();
    let _answers: Vec<_> = busy.iter().map(Place::begin).collect();
    busy[2].stuck(true);
    busy[3].stuck(true);
    busy[2].stuck(false);
    let late = places.take(address(1)).unwrap();
    assert_eq!(
        busy.iter().map(|place| left(place)).collect::<Vec<_>>(),
        [false, false, false, true]
    );
    let _answer = late.begin();
    assert!(places.take(address(1)).is_none());
}

#[test]
fn sec_4_a_place_comes_back_when_its_connection_ends() {
    let places = Places::new(FEW, false);
    let busy: Vec<_> = (0..4).map(|_| places.take(address(1)).unwrap()).collect();
    let answers: Vec<_> = busy.iter().map(Place::begin).collect();
    assert!(places.take(address(1)).is_none());
    drop((answers, busy));
    assert_eq!(places.lock().places.len(), 0);
    assert!(places.take(address(1)).is_some());
}

#[test]
fn sec_4_without_file_handles_the_longest_waiting_goes() {
    let places = Places::new(FEW, false);
    let [first, second] = [(); 2].map(|()| places.take(address(1)).unwrap());
    let _answer = first.begin();
    places.give_one_up();
    assert_eq!((left(&first), left(&second)), (false, true));
    places.give_one_up();
    assert!(!left(&first), "nobody is cut off in the middle of an answer");
}

#[test]
fn sec_4_addresses_of_one_network_count_as_one() {
    let check = |text: &str, expected: &str| {
        let parsed = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(counted(parsed(text)), parsed(expected));
    };
    check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
    check("::ffff:10.0.0.1", "10.0.0.1");
    check("10.0.0.1", "10.0.0.1");
}
