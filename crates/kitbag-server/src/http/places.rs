//! Limits the open connections (SEC-4): an address in; a place, or `None` if all places are being answered, out.
//!
//! Idle connections cost the server something and their clients nothing, so they do not keep others out. When all places are
//! taken, a new connection gets the place of the one that has been idle longest: first among strangers, then among those that
//! have not asked (again) or do not read their answer. A stranger is a connection that has not sent a key yet, where keys are
//! set. A connection that is being answered keeps its place. To refuse new connections instead would be simpler, but a few
//! idle clients could lock out everybody behind the same address.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// The most connections: of all, per address, and the same for strangers. Half of what most systems let a process open.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    pub(super) all: usize,
    pub(super) of_address: usize,
    pub(super) strangers: usize,
    pub(super) strangers_of_address: usize,
}

pub(super) const MOST: ConnectionLimits = ConnectionLimits {
    all: 512,
    of_address: 256,
    strangers: 256,
    strangers_of_address: 128,
};

pub(super) struct Places {
    most: ConnectionLimits,
    /// Whether every connection begins as a stranger.
    has_keys: bool,
    held: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    /// Numbers connections, and orders the events on them.
    n_events: u64,
    places: BTreeMap<u64, Holder>,
}

struct Holder {
    from: IpAddr,
    is_stranger: bool,
    is_answered: bool,
    /// Whether its client does not read the answer.
    is_stuck: bool,
    /// Grows whenever the connection becomes idle.
    since: u64,
    leave: CancellationToken,
}

impl Holder {
    fn waits(&self) -> bool {
        self.is_stranger || !self.is_answered || self.is_stuck
    }
}

/// The place of a connection, until it is dropped.
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
    /// The address that it counts for.
    pub(super) from: IpAddr,
    /// Cancelled when the place is needed for another connection.
    pub(super) leave: CancellationToken,
}

/// While it exists, the connection is being answered.
pub(super) struct Answering(Arc<Place>);

impl Places {
    pub(super) fn new(most: ConnectionLimits, has_keys: bool) -> Arc<Places> {
        Arc::new(Places {
            most,
            has_keys,
            held: Mutex::default(),
        })
    }

    /// A place for a connection from `address`. `None`: all that could make room are being answered.
    pub(super) fn take(self: &Arc<Self>, address: IpAddr) -> Option<Arc<Place>> {
        let from = counted(address);
        let mut held = self.lock();
        let of_address = |holder: &Holder| holder.from == from;
        let stranger = |holder: &Holder| holder.is_stranger;
        if self.has_keys {
            let both = |holder: &Holder| stranger(holder) && of_address(holder);
            held.make_room(self.most.strangers_of_address, &both)?;
            held.make_room(self.most.strangers, &stranger)?;
        }
        held.make_room(self.most.of_address, &of_address)?;
        held.make_room(self.most.all, &|_| true)?;
        let (number, leave) = (held.tick(), CancellationToken::new());
        held.places.insert(
            number,
            Holder {
                from,
                is_stranger: self.has_keys,
                is_answered: false,
                is_stuck: false,
                since: number,
                leave: leave.clone(),
            },
        );
        Some(Arc::new(Place {
            places: Arc::clone(self),
            number,
            from,
            leave,
        }))
    }

    /// Ends the connection that has been idle longest, because the system lets us open no more.
    pub(super) fn give_one_up(&self) {
        let mut held = self.lock();
        let n_held = held.places.len();
        // If all are being answered, none is ended: room comes when they finish.
        let _ = held.make_room(n_held, &|_| true);
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn tick(&mut self) -> u64 {
        self.n_events += 1;
        self.n_events
    }

    /// Ends connections of a group, the longest idle first, until there are fewer than `most`.
    fn make_room(&mut self, most: usize, of_group: &dyn Fn(&Holder) -> bool) -> Option<()> {
        let group = || self.places.iter().filter(|(_, holder)| of_group(holder));
        let Some(n_over) = (group().count() + 1).checked_sub(most) else {
            return Some(());
        };
        let mut waiting: Vec<(bool, u64, u64)> = group()
            .filter(|(_, holder)| holder.waits())
            .map(|(number, holder)| (!holder.is_stranger, holder.since, *number))
            .collect();
        if waiting.len() < n_over {
            return None;
        }
        waiting.sort_unstable();
        for (_, _, number) in waiting.into_iter().take(n_over) {
            if let Some(holder) = self.places.remove(&number) {
                holder.leave.cancel();
            }
        }
        Some(())
    }
}

impl Place {
    /// The connection has sent a key.
    pub(super) fn is_known(&self) {
        if let Some(holder) = self.places.lock().places.get_mut(&self.number) {
            holder.is_stranger = false;
        }
    }

    /// The client has stopped or begun to read its answer.
    pub(super) fn stuck(&self, is_stuck: bool) {
        let mut held = self.places.lock();
        let since = held.tick();
        if let Some(holder) = held.places.get_mut(&self.number) {
            holder.is_stuck = is_stuck;
            holder.since = since;
        }
    }

    /// A whole request has arrived.
    pub(super) fn begin(self: &Arc<Self>) -> Answering {
        if let Some(holder) = self.places.lock().places.get_mut(&self.number) {
            holder.is_answered = true;
        }
        Answering(Arc::clone(self))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut held = self.0.places.lock();
        let since = held.tick();
        if let Some(holder) = held.places.get_mut(&self.0.number) {
            holder.is_answered = false;
            holder.since = since;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().places.remove(&self.number);
    }
}

/// The address under which connections are counted: for IPv6 the /64 network, because a client has at least 2⁶⁴ addresses.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        address => address,
    }
}
