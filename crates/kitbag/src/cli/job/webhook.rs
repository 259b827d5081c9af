//! Telling an address of the user's that a job has ended (IDX-52): its row as JSON, once, in five seconds or not at all. The
//! address comes from the user's own settings only; a repository that was cloned must not decide whom we call.

use std::time::Duration;

use kitbag_engine::api::JobReply;

use crate::printer::json;

const TIME_LIMIT: Duration = Duration::from_secs(5);

pub(super) fn call(url: &str, reply: &JobReply) -> Result<(), String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIME_LIMIT))
        // Where it was sent is where it goes.
        .max_redirects(0)
        .build()
        .into();
    agent
        .post(url)
        .header("content-type", "application/json")
        .send(json(reply, false))
        .map(|_| ())
        .map_err(|error| error.to_string())
}
