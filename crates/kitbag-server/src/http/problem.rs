//! Errors as problem details (RFC 9457): the codes of every door (ERR-1), an HTTP status, and a hint.
//!
//! One table maps codes to statuses. A test finds all codes in the sources and fails on one that the table lacks.

#[cfg(test)]
mod tests;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use kitbag_door::failure::{Exit, Failure};

/// Codes with another status than 422, which means that the request was understood but is invalid.
const STATUSES: &[(&str, StatusCode)] = &[
    ("AGENT_NOT_FOUND", StatusCode::NOT_FOUND),
    // The client is gone.
    ("CANCELLED", StatusCode::SERVICE_UNAVAILABLE),
    ("BUSY", StatusCode::SERVICE_UNAVAILABLE),
    ("CONFIG_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    ("CONFIRMATION_REQUIRED", StatusCode::CONFLICT),
    ("CONTEXT_NOT_FOUND", StatusCode::NOT_FOUND),
    ("FEEDBACK_NOT_FOUND", StatusCode::NOT_FOUND),
    ("FILE_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    ("GIT_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    ("INTERNAL_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    ("ITEM_NOT_FOUND", StatusCode::NOT_FOUND),
    ("JOB_NOT_FOUND", StatusCode::NOT_FOUND),
    ("JOB_RUNNING", StatusCode::CONFLICT),
    ("MEMORY_NOT_FOUND", StatusCode::NOT_FOUND),
    ("MEMORY_NOT_OWNED", StatusCode::FORBIDDEN),
    ("NOT_FOUND", StatusCode::NOT_FOUND),
    // Like BUSY: there will be an index soon.
    ("NOT_INDEXED", StatusCode::SERVICE_UNAVAILABLE),
    ("OUTPUT_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    // Like BUSY: there will be an index soon.
    ("PACKAGES_UNKNOWN", StatusCode::SERVICE_UNAVAILABLE),
    ("PACKAGE_NOT_FOUND", StatusCode::NOT_FOUND),
    ("PACK_UNKNOWN", StatusCode::NOT_FOUND),
    ("PATH_DENIED", StatusCode::FORBIDDEN),
    ("PATH_NOT_FOUND", StatusCode::NOT_FOUND),
    ("PATH_UNREADABLE", StatusCode::INTERNAL_SERVER_ERROR),
    ("PLACE_NOT_FOUND", StatusCode::NOT_FOUND),
    ("PROTOCOL_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    ("SERVER_ERROR", StatusCode::BAD_GATEWAY),
    ("STORAGE_ERROR", StatusCode::INTERNAL_SERVER_ERROR),
    ("THREAD_NOT_FOUND", StatusCode::NOT_FOUND),
    ("TOO_MANY_JOBS", StatusCode::TOO_MANY_REQUESTS),
    ("UNKNOWN_PATTERN", StatusCode::NOT_FOUND),
];

/// Codes for mistakes that the caller can correct.
#[cfg(test)]
const UNPROCESSABLE: &[&str] = &[
    "BUDGET_ERROR",
    "FORMATTING_ERROR",
    "INPUT_ERROR",
    "NOT_A_REPOSITORY",
    "NO_PROJECT",
    "PACKAGE_AMBIGUOUS",
    "TEMPLATES_OFF",
    "TOKEN_COUNTING_ERROR",
];

#[derive(Debug, Serialize)]
pub(super) struct Problem {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    status: u16,
    detail: String,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Problem {
    pub(super) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem {
            kind: format!("urn:kitbag:{}", code.to_lowercase()),
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            hint: None,
        }
    }

    pub(super) fn too_large(most: usize) -> Problem {
        let detail = format!("more than {most} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", detail)
    }

    pub(super) fn busy(detail: &str) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "BUSY", detail)
    }

    pub(super) fn rate_limited(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", detail)
    }

    pub(super) fn code(&self) -> &'static str {
        self.code
    }

    #[cfg(test)]
    pub(super) fn status(&self) -> u16 {
        self.status
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        let known = STATUSES.iter().find(|(code, _)| *code == failure.code);
        let status = match (known, failure.exit) {
            (Some((_, status)), _) => *status,
            (None, Exit::WrongUse | Exit::NothingFound) => StatusCode::UNPROCESSABLE_ENTITY,
            (None, _) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Problem {
            hint: failure.hint,
            ..Problem::new(status, failure.code, failure.message)
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
