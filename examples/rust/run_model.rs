//! Run a model that Python wrote on a slice of Rust: the program of examples/run_model.c in Rust.
//!
//!     run_model script model.pt      torch.jit.save
//!     run_model program model.pt2    torch.export.save
//!     run_model package model.pt2    torch._inductor.aoti_compile_and_package

use ctorch::{jit_load, ExportedProgram, Package, Reader, Tensor};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn run(kind: &str, path: &str, x: &Tensor) -> Result<Tensor> {
    Ok(match kind {
        "script" => jit_load(&Reader::from_bytes(std::fs::read(path)?)?, None)?.forward(x)?,
        "program" => {
            let program = ExportedProgram::open(&Reader::from_bytes(std::fs::read(path)?)?, None)?;
            program.module()?.forward(x)?
        }
        "package" => Package::load(path, None, false, 1, None)?.run(&[x])?[0].clone(),
        _ => return Err(format!("{} is none of script, program and package", kind).into()),
    })
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 3 {
        return Err("usage: run_model script|program|package MODEL".into());
    }
    let x = Tensor::from_slice(&[0f32, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], &[2, 4])?;
    for score in run(&arguments[1], &arguments[2], &x)?.to_vec::<f32>()? {
        println!("{}", score);
    }
    Ok(())
}
