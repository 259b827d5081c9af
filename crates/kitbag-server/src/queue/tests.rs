//! Which requests run, which wait and which leave.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use super::*;

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(work)
}

#[test]
fn sec_4_who_has_gone_never_starts() {
    let (queue, nobody) = (Arc::new(Queue::of(1, 10, 10)), Arc::from(""));
    let started = Arc::new(AtomicUsize::new(0));
    let (finish, finished) = channel::<()>();
    run(async {
        let first = {
            let (queue, started) = (Arc::clone(&queue), Arc::clone(&started));
            tokio::spawn(async move {
                let work = move || {
                    started.fetch_add(1, Ordering::SeqCst);
                    finished.recv()
                };
                queue.run(&Arc::from(""), false, work).await
            })
        };
        while started.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        {
            let started = Arc::clone(&started);
            let waiting = queue.run(&nobody, false, move || started.fetch_add(1, Ordering::SeqCst));
            let mut waiting = std::pin::pin!(waiting);
            let once = std::future::poll_fn(|context| {
                std::task::Poll::Ready(waiting.as_mut().poll(context).is_pending())
            });
            assert!(once.await, "it is not its turn");
        }
        finish.send(()).unwrap();
        first.await.unwrap().unwrap().unwrap();
        let last = queue.run(&nobody, false, || "done").await;
        assert_eq!(last.unwrap(), "done");
    });
    assert_eq!(started.load(Ordering::SeqCst), 1);
    assert!(queue.line.by_user.lock().unwrap().is_empty());
}

#[test]
fn sec_4_the_line_is_bounded_and_sec_5_one_user_does_not_fill_it() {
    let line = Queue::of(1, 4, 3).line;
    let (ann, ben, nobody) = (Arc::from("ann"), Arc::from("ben"), Arc::from(""));
    let enter = |user: &Arc<str>| line.enter(user, false).map_err(|failure| failure.code);
    let held: Vec<_> = (0..3).map(|_| enter(&ann).unwrap()).collect();
    assert_eq!(enter(&ann).err(), Some("BUSY"));
    let other = enter(&ben).unwrap();
    assert_eq!(enter(&ben).err(), Some("BUSY"), "it is full");
    drop((held, other));
    let _alone: Vec<_> = (0..4).map(|_| enter(&nobody).unwrap()).collect();
    assert_eq!(enter(&nobody).err(), Some("BUSY"));
}

/// When all of one user's requests run or wait, another user's is next: none of the first user's is finished before it.
#[test]
fn sec_5_one_user_does_not_keep_all_turns() {
    for watches in [false, true] {
        let queue = Arc::new(Queue::of(4, 100, 50));
        let (ann, ben): (Arc<str>, Arc<str>) = (Arc::from("ann"), Arc::from("ben"));
        let (finish, finished) = channel::<()>();
        let finished = Arc::new(Mutex::new(finished));
        run(async {
            let bens: Vec<_> = (0..20)
                .map(|_| {
                    let (queue, ben, finished) =
                        (Arc::clone(&queue), Arc::clone(&ben), Arc::clone(&finished));
                    tokio::spawn(async move {
                        let wait = move || finished.lock().unwrap().recv().unwrap();
                        queue.run(&ben, watches, wait).await
                    })
                })
                .collect();
            while queue.n_under_way() < 20 {
                tokio::task::yield_now().await;
            }
            let asked = queue.run(&ann, watches, || "answered");
            let asked = tokio::time::timeout(std::time::Duration::from_secs(30), asked);
            assert_eq!(
                asked.await.expect("ann need not wait for ben").unwrap(),
                "answered"
            );
            for _ in 0..20 {
                finish.send(()).unwrap();
            }
            for one in bens {
                one.await.unwrap().unwrap();
            }
        });
        assert_eq!(queue.n_under_way(), 0);
    }
}
