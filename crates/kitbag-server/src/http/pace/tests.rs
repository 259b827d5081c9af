//! Clients that stop reading, read slowly, or keep up.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use super::*;

const WITHIN: Duration = Duration::from_millis(50);

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

#[test]
fn sec_4_a_client_that_never_reads_is_cut_off() {
    run(async {
        let (ours, _theirs) = duplex(1_024);
        let mut paced = Paced::new(ours, WITHIN, |_| {});
        let error = paced.write_all(&[0; 100_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    });
}

#[test]
fn sec_4_a_client_that_reads_a_byte_now_and_then_is_cut_off() {
    run(async {
        let (ours, mut theirs) = duplex(1_024);
        let mut paced = Paced::new(ours, WITHIN, |_| {});
        tokio::spawn(async move {
            // Much more often than the limit, and far fewer bytes than required.
            while theirs.read_u8().await.is_ok() {
                tokio::time::sleep(WITHIN / 10).await;
            }
        });
        let error = paced.write_all(&[0; 100_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    });
}

#[test]
fn sec_4_a_client_that_keeps_up_gets_everything_however_long_it_takes() {
    run(async {
        let (ours, mut theirs) = duplex(LEAST_TAKEN * 2);
        let mut paced = Paced::new(ours, WITHIN, |_| {});
        let reader = tokio::spawn(async move {
            let (mut n_read, mut buffer) = (0, vec![0; LEAST_TAKEN * 2]);
            while let Ok(n @ 1..) = theirs.read(&mut buffer).await {
                n_read += n;
                tokio::time::sleep(WITHIN / 2).await;
            }
            n_read
        });
        // Several times the limit.
        let n_bytes = LEAST_TAKEN * 2 * 12;
        paced.write_all(&vec![0; n_bytes]).await.unwrap();
        paced.shutdown().await.unwrap();
        assert_eq!(reader.await.unwrap(), n_bytes);
    });
}

#[test]
fn mcp_4_a_stream_that_has_nothing_to_say_lives_on() {
    run(async {
        let (ours, mut theirs) = duplex(1_024);
        let mut paced = Paced::new(ours, WITHIN, |_| {});
        for _ in 0..3 {
            paced.write_all(b": ping\n\n").await.unwrap();
            let mut seen = [0; 8];
            theirs.read_exact(&mut seen).await.unwrap();
            let silence = tokio::time::timeout(WITHIN * 3, paced.read_u8()).await;
            assert!(silence.is_err(), "nothing was said, and nobody hung up");
        }
    });
}
