//! Limits and owners of sessions, with the SDK.

use super::*;

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

async fn open(sessions: &Sessions, user: &Arc<str>) -> Result<String, u16> {
    let (id, _transport) = sessions.manager.create_session().await.unwrap();
    let admitted = sessions.admit(&id, user).await;
    admitted
        .map(|()| id.to_string())
        .map_err(|problem| problem.status())
}

#[test]
fn sec_5_one_user_does_not_use_up_the_sessions_of_another() {
    run(async {
        let sessions = Sessions::new(Arc::default());
        let (ann, ben) = (Arc::from("ann"), Arc::from("ben"));
        let mut of_ann = Vec::new();
        for _ in 0..MOST_OF_USER {
            of_ann.push(open(&sessions, &ann).await.unwrap());
        }
        assert_eq!(open(&sessions, &ann).await, Err(429));
        let of_ben = open(&sessions, &ben).await.unwrap();
        let n_live = sessions.manager.sessions.read().await.len();
        assert_eq!(n_live, MOST_OF_USER + 1, "what was refused is not kept");
        assert!(sessions.belongs_to(&of_ben, "ben").await);
        assert!(!sessions.belongs_to(&of_ben, "ann").await);
        sessions
            .manager
            .close_session(&of_ann[0].as_str().into())
            .await
            .unwrap();
        assert!(open(&sessions, &ann).await.is_ok(), "one that ended makes room");
    });
}

#[test]
fn sec_4_sessions_are_bounded_over_all_users() {
    run(async {
        let sessions = Sessions::new(Arc::default());
        for n in 0..MOST {
            let user: Arc<str> = Arc::from(format!("user-{}", n / MOST_OF_USER));
            open(&sessions, &user).await.unwrap();
        }
        assert_eq!(open(&sessions, &Arc::from("late")).await, Err(503));
    });
}
