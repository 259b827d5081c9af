//! Errors as problem details (RFC 9457): the same codes as everywhere (ERR-1), the HTTP status that fits, what to do about it.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::failure::{Exit, Failure};

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
}

impl Problem {
    pub(super) fn too_large(most: usize) -> Problem {
        let detail = format!("more than {most} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", detail)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        let status = match (failure.code, failure.exit) {
            ("BUSY", _) => StatusCode::SERVICE_UNAVAILABLE,
            (
                "NOT_FOUND" | "JOB_NOT_FOUND" | "PACK_UNKNOWN" | "PACKAGE_NOT_FOUND" | "MEMORY_NOT_FOUND"
                | "ITEM_NOT_FOUND" | "PATH_NOT_FOUND",
                _,
            ) => StatusCode::NOT_FOUND,
            ("JOB_RUNNING" | "CONFIRMATION_REQUIRED", _) => StatusCode::CONFLICT,
            ("PATH_DENIED", _) => StatusCode::FORBIDDEN,
            (_, Exit::WrongUse | Exit::NothingFound) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
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
