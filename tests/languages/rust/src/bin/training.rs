//! What training.py has in Python: three small trainings, whose numbers are equal to the last bit.

use ctorch::{aten, lr_scheduler, optim, GradScaler, Native, Optimizer, Result, Tensor};

const STEPS: i64 = 8;

struct Layer {
    parameters: [Tensor; 2], // weight and bias
    x: Tensor,
    y: Tensor,
}

impl Layer {
    fn new() -> Result<Layer> {
        let parameter = |values: &[f64], sizes: &[i64]| {
            let mut tensor = Tensor::from_slice(values, sizes)?;
            tensor.set_requires_grad(true)?;
            Ok(tensor)
        };
        let x: Vec<f64> = (0..12).map(|i| f64::from(i) / 10.0).collect();
        let y: Vec<f64> = (0..4).map(|i| f64::from(i) / 4.0).collect();
        Ok(Layer {
            parameters: [parameter(&[0.1, -0.2, 0.3], &[1, 3])?, parameter(&[0.05], &[1])?],
            x: Tensor::from_slice(&x, &[4, 3])?,
            y: Tensor::from_slice(&y, &[4, 1])?,
        })
    }

    fn loss(&self) -> Result<Tensor> {
        let [weight, bias] = &self.parameters;
        aten::mse_loss(&aten::linear(&self.x, weight).bias(bias).call()?, &self.y).call()
    }

    fn print(&self) -> Result<()> {
        for parameter in &self.parameters {
            parameter.to_vec::<f64>()?.iter().for_each(|n| println!("{:?}", n));
        }
        Ok(())
    }
}

fn with_a_scheduler() -> Result<()> {
    let mut layer = Layer::new()?;
    let mut optimizer = optim::adamw(&mut layer.parameters).lr(0.05).weight_decay(0.1).call()?;
    let mut scheduler = lr_scheduler::steplr(&mut optimizer, 3).gamma(0.5).call()?;
    for _ in 0..STEPS {
        optimizer.zero_grad(true)?;
        let loss = layer.loss()?;
        loss.backward()?;
        optimizer.step()?;
        scheduler.step()?;
        println!("{:?}\n{:?}", loss.item_double()?, scheduler.get_last_lr()?[0]);
    }
    layer.print()
}

fn with_groups_and_a_closure() -> Result<()> {
    let layer = Layer::new()?;
    let [weight, bias] = &layer.parameters;
    let group = |entries: Vec<(&str, Native)>| -> Native {
        Native::Dict(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
    };
    let groups = Native::List(vec![
        group(vec![("params", Native::List(vec![weight.clone().into()]))]),
        group(vec![("params", Native::List(vec![bias.clone().into()])), ("lr", 0.01.into())]),
    ]);
    let options = [("lr", 0.05.into()), ("momentum", 0.9.into()), ("weight_decay", 0.001.into())];
    let mut optimizer = Optimizer::create("SGD", groups, &options)?;
    let same = optimizer.clone();
    for _ in 0..STEPS {
        let loss = optimizer.step_with(|| {
            same.clone().zero_grad(true)?;
            let loss = layer.loss()?;
            loss.backward()?;
            Ok(loss)
        })?;
        println!("{:?}", loss.item_double()?);
    }
    layer.print()
}

fn with_a_scaler() -> Result<()> {
    let mut layer = Layer::new()?;
    let mut optimizer = optim::sgd(&mut layer.parameters).lr(0.05).call()?;
    let mut scaler = GradScaler::new(Some("cpu"), 1024.0, 2.0, 0.5, 2, true)?;
    for i in 0..STEPS {
        optimizer.zero_grad(true)?;
        let loss = layer.loss()?;
        let seen = if i == 3 { &loss * f64::INFINITY } else { loss.clone() };
        scaler.scale(&seen)?.backward()?;
        scaler.step(&mut optimizer)?;
        scaler.update(None)?;
        println!("{:?}\n{:?}", loss.item_double()?, scaler.get_scale()?);
    }
    layer.print()
}

fn main() -> Result<()> {
    with_a_scheduler()?;
    with_groups_and_a_closure()?;
    with_a_scaler()
}
