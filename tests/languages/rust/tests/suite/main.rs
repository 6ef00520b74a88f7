//! The safe crate against values in closed form; test_rust.py runs it.

mod arguments;
mod autograd;
mod callbacks;
mod data;
mod errors;
mod modules;
mod native;
mod optimizers;
mod ownership;
mod tensors;
mod threads;

type Test = Result<(), Box<dyn std::error::Error>>;
