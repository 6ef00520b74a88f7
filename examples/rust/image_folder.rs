//! Train on a folder of images (`image_folder FOLDER`): FOLDER/train and FOLDER/test have a folder for each class. The
//! program of examples/image_folder.c in Rust, with the same result.

use ctorch::{data, datasets, nn, optim, transforms, Dataset, Dtype, Loader, Module, Result, Trainer};

const SIZE: i64 = 32;
const CHANNELS: i64 = 16;

/// Convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear layer.
fn network(classes: i64) -> Result<Module> {
    let mut net = nn::sequential()?;
    for (from, to) in [(3, CHANNELS), (CHANNELS, 2 * CHANNELS), (2 * CHANNELS, 4 * CHANNELS)] {
        net.append(&nn::conv2d(from, to, &[3]).padding(&[1]).call()?)?;
        net.append(&nn::batchnorm2d(to).call()?)?;
        net.append(&nn::relu().inplace(true).call()?)?;
        net.append(&nn::maxpool2d(&[2]).call()?)?;
    }
    net.append(&nn::adaptivemaxpool2d(&[1]).call()?)?;
    net.append(&nn::flatten().call()?)?;
    net.append(&nn::linear(4 * CHANNELS, classes).call()?)?;
    Ok(net)
}

/// Images as numbers from -1 to 1; in training a part of each, of another size, flipped or not, in other colours. Worker
/// threads read, decode and transform them; the result does not depend on their number.
fn batches(folder: &str, training: bool) -> Result<(Dataset, Loader)> {
    let mut parts = Vec::new();
    if training {
        parts.push(transforms::randomresizedcrop(&[SIZE, SIZE]).scale(&[0.8, 1.0]).call()?);
        parts.push(transforms::randomhorizontalflip().call()?);
        parts.push(transforms::colorjitter().brightness(&[0.2]).contrast(&[0.2]).hue(&[0.5]).call()?);
    }
    parts.push(transforms::todtype(Dtype::FLOAT32).scale(true).call()?);
    parts.push(transforms::normalize(&[0.5; 3], &[0.5; 3]).call()?);
    let all = transforms::compose(&parts.iter().collect::<Vec<_>>())?;
    let path = format!("{}/{}", folder, if training { "train" } else { "test" });
    let images = datasets::imagefolder(&path).transform(&all).call()?;
    let loader = data::dataloader(&images).batch_size(20).shuffle(training).num_workers(2).call()?;
    Ok((images, loader))
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "examples/data/shapes".to_string());
    ctorch::set_num_threads(1)?; // the tensors are too small for more
    ctorch::manual_seed(0)?;
    let (images, mut train) = batches(&folder, true)?;
    let (_, mut test) = batches(&folder, false)?;
    let classes = Vec::try_from(images.attribute("classes")?)?;
    let names: Vec<String> = classes.into_iter().map(TryInto::try_into).collect::<Result<_>>()?;
    println!("classes ['{}']", names.join("', '"));

    let mut model = network(names.len() as i64)?;
    let mut optimizer = optim::adamw(&mut model.parameters(true)?).lr(3e-3).call()?;
    let mut trainer = Trainer::new(&mut model, &mut optimizer)?;
    trainer.set_loss(&mut nn::crossentropyloss().call()?)?;
    trainer.add_accuracy()?;
    trainer.set_length(15, 0)?;
    trainer.set_validation(&mut test, 0)?;
    trainer.fit(&mut train)?;
    for (i, epoch) in trainer.history()?.iter().enumerate() {
        print!("epoch {:2}", i + 1);
        for name in ["loss", "val_loss", "val_accuracy"] {
            print!("  {} {:.4}", name, epoch[name]);
        }
        println!();
    }
    Ok(())
}
