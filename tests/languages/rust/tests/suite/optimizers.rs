//! Optimizers, learning rate schedulers and gradient scaling.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

use ctorch::{aten, lr_scheduler, nn, optim, ErrorKind, GradScaler, LrScheduler, Native, Optimizer, Tensor};

use crate::autograd::leaf;
use crate::Test;

fn descent(parameter: &mut Tensor, lr: f64) -> ctorch::Result<Optimizer> {
    optim::sgd(&mut [parameter]).lr(lr).call()
}

fn give_gradient(parameter: &mut Tensor, gradient: &[f64]) -> ctorch::Result<()> {
    parameter.set_grad(&Tensor::from_slice(gradient, &[gradient.len() as i64])?)
}

#[test]
fn a_step_changes_parameters_by_their_gradients() -> Test {
    let mut p = leaf(&[1.0, 2.0]);
    let mut optimizer = descent(&mut p, 0.5)?;
    give_gradient(&mut p, &[2.0, 4.0])?;
    optimizer.step()?;
    assert_eq!(p.to_vec::<f64>()?, [0.0, 0.0]);
    optimizer.zero_grad(true)?;
    assert!(p.grad()?.is_none());
    optimizer.step()?; // without a gradient all stays
    assert_eq!(p.to_vec::<f64>()?, [0.0, 0.0]);
    assert_eq!((optimizer.name(), optimizer.num_groups()), ("SGD", 1));
    Ok(())
}

#[test]
fn options_of_groups_are_read_and_changed_by_name() -> Test {
    let (mut p, q) = (leaf(&[1.0]), leaf(&[2.0, 3.0]));
    let mut optimizer = optim::adamw(&mut [&mut p]).lr(0.1).betas(&[0.5, 0.75]).call()?;
    optimizer.add_group(&vec![q], &[("lr", 0.25.into())])?;
    let mut groups = optimizer.param_groups();
    let betas = Native::Tuple(vec![0.5.into(), 0.75.into()]);
    assert_eq!((groups.len(), groups[1].get("betas")?), (2, betas));
    groups[0].set("weight_decay", 0.5)?;
    assert_eq!(optimizer.param_group(0)?.get("weight_decay")?, 0.5.into());
    assert_eq!((optimizer.get_lr(0)?, optimizer.get_lr(1)?), (0.1, 0.25));
    optimizer.set_lr(0.125)?;
    assert_eq!(groups[1].get("lr")?, 0.125.into());
    assert_eq!(groups[1].params()?[0].to_vec::<f64>()?, [2.0, 3.0]);
    assert_eq!(groups[0].options()?.get(&"lr".into()), Some(&0.125.into()));
    assert!(format!("{:?}", optimizer).starts_with("AdamW (\nParameter Group 0\n"));
    assert_eq!(groups[0].get("no such").unwrap_err().kind(), ErrorKind::INDEX);
    assert_eq!(optimizer.param_group(2).unwrap_err().kind(), ErrorKind::INDEX);
    Ok(())
}

#[test]
fn refusals_are_errors_of_their_kinds() -> Test {
    let mut p = leaf(&[1.0]);
    assert_eq!(descent(&mut p, -1.0).unwrap_err().kind(), ErrorKind::VALUE);
    assert_eq!(optim::sgd(&mut Vec::<Tensor>::new()).call().unwrap_err().kind(), ErrorKind::VALUE);
    let params = || Native::List(vec![p.clone().into()]);
    let kind = |made: ctorch::Result<Optimizer>| made.unwrap_err().kind();
    assert_eq!(kind(Optimizer::create("Nonsense", params(), &[])), ErrorKind::INDEX);
    assert_eq!(kind(Optimizer::create("SGD", params(), &[("learning", 1.into())])), ErrorKind::TYPE);
    assert_eq!(kind(Optimizer::create("SGD", Native::List(vec![3.into()]), &[])), ErrorKind::TYPE);
    let mut optimizer = Optimizer::create("SGD", params(), &[("lr", 1.into())])?;
    assert_eq!(optimizer.add_group(params(), &[]).unwrap_err().kind(), ErrorKind::VALUE);
    Ok(())
}

#[test]
fn a_closure_computes_the_loss_and_fails_as_itself() -> Test {
    let mut p = leaf(&[3.0]);
    let mut optimizer = descent(&mut p, 0.5)?;
    let mut calls = 0;
    let loss = optimizer.step_with(|| {
        calls += 1;
        let loss = aten::sum(&(&p * &p)).call()?;
        loss.backward()?;
        Ok(loss)
    })?;
    assert_eq!((calls, loss.item_double()?, p.to_vec::<f64>()?), (1, 9.0, vec![0.0]));
    let error = optimizer.step_with(|| Err("not today".into())).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::CALLBACK, "not today"));
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| optimizer.step_with(|| panic!("oh"))));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"oh"));
    Ok(())
}

#[test]
fn a_state_dict_is_continued_by_another_optimizer() -> Test {
    let mut first = leaf(&[1.0, -1.0]);
    let mut optimizer = optim::adamw(&mut [&mut first]).lr(0.1).call()?;
    give_gradient(&mut first, &[0.5, 2.0])?;
    optimizer.step()?;
    let mut second = leaf(&first.to_vec::<f64>()?);
    let mut other = optim::adamw(&mut [&mut second]).call()?;
    assert_eq!(other.state(&second)?.to_native()?, Native::Dict(vec![]));
    // What is of the right dtype is shared, as in Python: so a copy is taken over.
    let saved = optimizer.state_dict()?.to_native()?;
    other.load_state_dict(&ctorch::Value::from_native(&copied(&saved)?)?)?;
    give_gradient(&mut second, &[0.5, 2.0])?;
    optimizer.step()?;
    other.step()?;
    assert_eq!(first.to_vec::<f64>()?, second.to_vec::<f64>()?);
    assert_eq!(other.get_lr(0)?, 0.1);
    other.set_state(&second, &ctorch::Value::from_native(&Native::Dict(vec![]))?)?;
    assert_eq!(other.state(&second)?.len(), 0);
    let empty = ctorch::Value::from_native(&Native::Dict(vec![]))?;
    assert_eq!(other.load_state_dict(&empty).unwrap_err().kind(), ErrorKind::INDEX);
    Ok(())
}

fn copied(value: &Native) -> ctorch::Result<Native> {
    Ok(match value {
        Native::Tensor(tensor) => aten::clone(tensor).call()?.into(),
        Native::List(entries) => Native::List(entries.iter().map(copied).collect::<ctorch::Result<_>>()?),
        Native::Dict(entries) => {
            let pairs = entries.iter().map(|(key, value)| Ok((key.clone(), copied(value)?)));
            Native::Dict(pairs.collect::<ctorch::Result<_>>()?)
        }
        other => other.clone(),
    })
}

#[test]
fn hooks_are_called_around_steps_and_state_dicts() -> Test {
    let mut p = leaf(&[1.0]);
    let mut optimizer = descent(&mut p, 1.0)?;
    let count = Arc::new(AtomicI64::new(0));
    let counting = |by: i64| {
        let count = Arc::clone(&count);
        move |optimizer: &mut Optimizer| {
            assert_eq!(optimizer.name(), "SGD");
            count.fetch_add(by, Ordering::SeqCst);
            Ok(())
        }
    };
    let before = optimizer.register_step_pre_hook(counting(1))?;
    optimizer.register_step_post_hook(counting(10))?;
    optimizer.register_state_dict_pre_hook(counting(100), false)?;
    optimizer.register_load_state_dict_post_hook(counting(1000), true)?;
    optimizer.register_state_dict_post_hook(|_, state_dict| Ok(Some(state_dict.clone())), false)?;
    optimizer.register_load_state_dict_pre_hook(|_, _| Ok(None), false)?;
    optimizer.step()?;
    let state = optimizer.state_dict()?;
    optimizer.load_state_dict(&state)?;
    assert_eq!(count.load(Ordering::SeqCst), 1111);
    before.remove();
    optimizer.step()?;
    assert_eq!(count.load(Ordering::SeqCst), 1121);
    optimizer.register_step_pre_hook(|_| Err("no more".into()))?;
    assert_eq!(optimizer.step().unwrap_err().message(), "no more");
    Ok(())
}

#[test]
fn schedulers_change_learning_rates() -> Test {
    let model = nn::linear(2, 1).call()?;
    let mut optimizer = optim::sgd(&mut model.parameters(true)?).lr(1.0).call()?;
    let mut scheduler = lr_scheduler::multisteplr(&mut optimizer, &[1, 3]).gamma(0.5).call()?;
    let mut rates = Vec::new();
    for _ in 0..4 {
        optimizer.step()?;
        scheduler.step()?;
        rates.push(optimizer.get_lr(0)?);
    }
    assert_eq!((rates, scheduler.last_epoch()?, scheduler.name()), (vec![0.5, 0.5, 0.25, 0.25], 4, "MultiStepLR"));
    assert_eq!(scheduler.get_last_lr()?, [0.25]);
    let state = scheduler.state_dict()?;
    let mut other = lr_scheduler::multisteplr(&mut optimizer, &[9]).call()?;
    other.load_state_dict(&state)?;
    assert_eq!((other.last_epoch()?, other.attribute("gamma")?.to_double()?), (4, 0.5));
    assert_eq!(scheduler.step_metric(1.0).unwrap_err().kind(), ErrorKind::TYPE);
    assert_eq!(scheduler.optimizer()?.as_raw(), optimizer.as_raw());
    Ok(())
}

#[test]
fn a_plateau_lowers_the_rate_and_schedulers_follow_one_another() -> Test {
    let mut p = leaf(&[1.0]);
    let mut optimizer = descent(&mut p, 1.0)?;
    let mut plateau = lr_scheduler::reducelronplateau(&mut optimizer).factor(0.5).patience(0).call()?;
    plateau.step_metric(1.0)?;
    plateau.step_metric(1.0)?;
    assert_eq!(optimizer.get_lr(0)?, 0.5);
    assert_eq!(plateau.step().unwrap_err().kind(), ErrorKind::TYPE);
    let mut optimizer = descent(&mut p, 1.0)?;
    let first = lr_scheduler::constantlr(&mut optimizer).factor(0.5).total_iters(1).call()?;
    let second = lr_scheduler::exponentiallr(&mut optimizer, 0.5).call()?;
    let mut both = lr_scheduler::sequentiallr(&mut optimizer, &[&first, &second], &[1]).call()?;
    optimizer.step()?;
    both.step()?;
    optimizer.step()?;
    both.step()?;
    assert_eq!(both.get_last_lr()?, [0.5]);
    Ok(())
}

#[test]
fn closures_compute_learning_rates() -> Test {
    let mut p = leaf(&[1.0]);
    let mut optimizer = descent(&mut p, 1.0)?;
    let mut scheduler = LrScheduler::lambda_lr(&mut optimizer, |_, epoch| Ok(1.0 / (1.0 + epoch as f64)), -1)?;
    optimizer.step()?;
    scheduler.step()?;
    assert_eq!(scheduler.get_last_lr()?, [0.5]);
    let mut optimizer = descent(&mut p, 1.0)?;
    let mut scheduler = LrScheduler::multiplicative_lr(&mut optimizer, |group, _| Ok(0.25 + group as f64), -1)?;
    optimizer.step()?;
    scheduler.step()?;
    scheduler.step()?;
    assert_eq!(scheduler.get_last_lr()?, [0.0625]);
    let mut optimizer = descent(&mut p, 1.0)?;
    let mut scheduler = LrScheduler::cyclic_lr(&mut optimizer, 0.0, 1.0, 1, |cycle| Ok(1.0 / cycle))?;
    scheduler.step()?;
    assert_eq!(scheduler.get_last_lr()?, [1.0]);
    let error = LrScheduler::lambda_lr(&mut optimizer, |_, _| Err("no rate".into()), -1).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::CALLBACK, "no rate"));
    Ok(())
}

#[test]
fn a_scaler_leaves_out_steps_with_infinite_gradients() -> Test {
    let mut p = leaf(&[1.0]);
    let mut optimizer = descent(&mut p, 0.5)?;
    let mut scaler = GradScaler::of_device("cpu")?;
    for (factor, after, scale) in [(1.0, 0.5, 65536.0), (f64::INFINITY, 0.5, 32768.0)] {
        optimizer.zero_grad(true)?;
        let loss = aten::sum(&(&p * factor)).call()?;
        scaler.scale(&loss)?.backward()?;
        scaler.unscale_(&mut optimizer)?;
        scaler.step(&mut optimizer)?;
        scaler.update(None)?;
        assert_eq!((p.to_vec::<f64>()?, scaler.get_scale()?), (vec![after], scale));
    }
    scaler.step(&mut optimizer)?;
    assert_eq!(scaler.step(&mut optimizer).unwrap_err().kind(), ErrorKind::RUNTIME);
    scaler.update(None)?;
    let state = scaler.state_dict()?;
    let mut other = GradScaler::of_device("cpu")?;
    other.load_state_dict(&state)?;
    assert_eq!((other.get_scale()?, other.get_growth_interval()?, other.is_enabled()), (16384.0, 2000, true));
    let mut disabled = GradScaler::new(Some("cpu"), 1.0, 2.0, 0.5, 1, false)?;
    let loss = disabled.step_with(&mut optimizer, || Ok(Tensor::scalar(2.0)?))?;
    assert_eq!(loss.item_double()?, 2.0);
    Ok(())
}
