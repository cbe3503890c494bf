//! See `genten_fuzz`.
#![cfg_attr(fuzzing, no_main)]

genten_fuzz::program!("output");
