//! Reports the end of a job to an address of the user (IDX-52): its row as JSON, once, within five seconds. The address comes
//! from the user's own settings only; a repository that was cloned must not decide whom we call.

use std::time::Duration;

use kitbag_engine::api::{self, JobReply};
use kitbag_engine::{Engine, Timestamp};

use kitbag_door::printer::json;

const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Sends the job; if that fails, the job's log says so. Returns an error if the log cannot be written either.
pub fn tell(engine: &Engine, url: &str, id: &str, now: Timestamp) -> Result<(), String> {
    let said = api::job(engine, "", id, now)
        .map_err(|error| error.to_string())
        .and_then(|reply| call(url, &reply));
    let Err(why) = said else { return Ok(()) };
    let line = format!("the webhook was not told: {why}");
    api::log_job(engine, id, &line).map_err(|_| line)
}

fn call(url: &str, reply: &JobReply) -> Result<(), String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIME_LIMIT))
        // Redirects are not followed: only the configured address gets the job.
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
