//! Work that can be divided, on several threads.

/// Runs `work` for each item on several threads. The results are in the order of the items.
pub(crate) fn side_by_side<T: Sync, R: Send>(
    n_threads: usize,
    items: &[T],
    work: &(dyn Fn(&T) -> R + Sync),
) -> Vec<R> {
    let share = items.len().div_ceil(n_threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = items
            .chunks(share)
            .map(|items| scope.spawn(move || items.iter().map(work).collect::<Vec<R>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("reading and cutting do not panic"))
            .collect()
    })
}
