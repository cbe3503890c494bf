//! Clients of transparency logs and timestamp authorities.
