/* Proximal policy optimization (Schulman et al. 2017, arXiv:1707.06347): a network says how to push a cart and how long the
 * pole will stand; it plays, and learns from what it played several times, but never goes far from the policy that did.
 * Advantages are generalized (arXiv:1506.02438). It stops at a mean score of 195 over the episodes of a round. */
#include <ctorch.h>
#include <stdio.h>
#include <string.h>

#include "cartpole.h"
#include "perceptron.h"
#include "rows.h"

enum { HIDDEN = 64, PLAYED = 1024, BATCH = 64, PASSES = 6, ROUNDS = 100 };
static const double discount = 0.99, decay = 0.95, clip = 0.2, rate = 2e-3, goal = 195;

typedef struct round_of_play {
  float states[PLAYED][CARTPOLE_STATE], advantages[PLAYED], returns[PLAYED];
  double log_chances[PLAYED], values[PLAYED + 1];
  int64_t actions[PLAYED];
  bool fell[PLAYED], ended[PLAYED];
} round_of_play;

typedef struct learner {
  ctorch_module *net;
  ctorch_optimizer *optimizer;
} learner;

static ctorch_error *learner_new(learner *self) {
  ctorch_tensor_list *params;
  CTORCH_TRY(perceptron_new(&self->net, "Tanh", CTORCH_INTS(CARTPOLE_STATE, HIDDEN, CARTPOLE_ACTIONS + 1)));
  CTORCH_TRY(ctorch_module_parameters(&params, self->net, true));
  return ctorch_optim_Adam(
      &self->optimizer, CTORCH_LIST(params), rate, NULL, 0, 1e-5, 0, false, NULL, false, false, false, NULL, false);
}

/* The logarithms of the chances of each push, and the value of each state. */
static ctorch_error *judge(
    ctorch_tensor **log_chances, ctorch_tensor **values, const learner *self, const ctorch_tensor *states) {
  ctorch_tensor *x;
  CTORCH_TRY(ctorch_module_forward(&x, self->net, states));
  CTORCH_TRY(ctorch_aten_narrow(values, x, 1, CARTPOLE_ACTIONS, 1));
  CTORCH_TRY(ctorch_aten_narrow(&x, x, 1, 0, CARTPOLE_ACTIONS));
  return ctorch_log_softmax_int(log_chances, x, 1);
}

/* The `i`-th push: one drawn by its chance. */
static ctorch_error *play_step(const learner *self, cartpole *cart, round_of_play *round, int i) {
  ctorch_tensor *state, *log_chances, *value, *chances, *drawn;
  CTORCH_TRY(ctorch_grad_mode_push(false)); /* until the scope ends */
  CTORCH_TRY(ctorch_tensor_from_data(
      &state, cart->state, sizeof cart->state, CTORCH_INTS(1, CARTPOLE_STATE), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(judge(&log_chances, &value, self, state));
  CTORCH_TRY(ctorch_tensor_item_double(&round->values[i], value));
  if (i == PLAYED) {
    return NULL; /* it was only asked what comes after */
  }
  memcpy(round->states[i], cart->state, sizeof cart->state);
  CTORCH_TRY(ctorch_aten_exp(&chances, log_chances));
  CTORCH_TRY(ctorch_multinomial(&drawn, chances, 1));
  CTORCH_TRY(ctorch_tensor_item_int64(&round->actions[i], drawn));
  CTORCH_TRY(ctorch_aten_gather(&log_chances, log_chances, 1, drawn, false));
  CTORCH_TRY(ctorch_tensor_item_double(&round->log_chances[i], log_chances));
  round->fell[i] = cartpole_push(cart, round->actions[i]);
  round->ended[i] = round->fell[i] || cartpole_is_long_enough(cart);
  return NULL;
}

/* A round; the mean score of the episodes that ended in it. Backwards, the advantages of what was done. */
static ctorch_error *play(double *score, const learner *self, cartpole *cart, round_of_play *round) {
  double advantage = 0, episodes = 0, steps = 0;
  for (int i = 0; i <= PLAYED; i++) {
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = play_step(self, cart, round, i);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (i < PLAYED && round->ended[i]) {
      episodes++;
      steps += cart->steps;
      cartpole_reset(cart);
    }
  }
  *score = episodes == 0 ? CARTPOLE_MOST_STEPS : steps / episodes;
  for (int i = PLAYED - 1; i >= 0; i--) {
    double next = round->fell[i] ? 0 : round->values[round->ended[i] ? i : i + 1]; /* nobody saw how it went on */
    advantage = 1 + discount * next - round->values[i] + (round->ended[i] ? 0 : discount * decay * advantage);
    round->advantages[i] = (float)advantage;
    round->returns[i] = (float)(advantage + round->values[i]);
  }
  return NULL;
}

static ctorch_error *learn(const learner *self, round_of_play *round) {
  ctorch_tensor *places, *states, *actions, *before, *advantages, *returns, *log_chances, *values, *ratio, *x, *y;
  CTORCH_TRY(ctorch_randint(&places, PLAYED, CTORCH_INTS(BATCH)));
  CTORCH_TRY(rows_of(&states, round->states, PLAYED, CARTPOLE_STATE, CTORCH_DTYPE_FLOAT32, places));
  CTORCH_TRY(rows_of(&actions, round->actions, PLAYED, 1, CTORCH_DTYPE_INT64, places));
  CTORCH_TRY(rows_of(&before, round->log_chances, PLAYED, 1, CTORCH_DTYPE_FLOAT64, places));
  CTORCH_TRY(rows_of(&advantages, round->advantages, PLAYED, 1, CTORCH_DTYPE_FLOAT32, places));
  CTORCH_TRY(rows_of(&returns, round->returns, PLAYED, 1, CTORCH_DTYPE_FLOAT32, places));
  CTORCH_TRY(judge(&log_chances, &values, self, states));
  CTORCH_TRY(ctorch_aten_gather(&x, log_chances, 1, actions, false));
  CTORCH_TRY(ctorch_aten_sub_Tensor(&x, x, before, NULL));
  CTORCH_TRY(ctorch_aten_exp(&ratio, x));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&x, ratio, advantages));
  CTORCH_TRY(ctorch_aten_clamp(&y, ratio, CTORCH_FLOAT(1 - clip), CTORCH_FLOAT(1 + clip)));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&y, y, advantages));
  CTORCH_TRY(ctorch_aten_minimum(&x, x, y));
  CTORCH_TRY(ctorch_aten_mse_loss(&y, values, returns, CTORCH_REDUCTION_NONE));
  CTORCH_TRY(ctorch_aten_sub_Tensor(&x, y, x, NULL));
  CTORCH_TRY(ctorch_aten_mean(&x, x, NULL));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(x, NULL, NULL, false));
  return ctorch_optimizer_step(self->optimizer);
}

static ctorch_error *run(void) {
  static round_of_play round;
  learner self;
  cartpole cart = {.seed = 1};
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(0));
  CTORCH_TRY(learner_new(&self));
  cartpole_reset(&cart);
  double score;
  for (int i = 1; i <= ROUNDS; i++) {
    CTORCH_TRY(play(&score, &self, &cart, &round));
    printf("round %d: score %.1f\n", i, score);
    if (score >= goal) {
      return NULL;
    }
    for (int step = 0; step < PASSES * PLAYED / BATCH; step++) {
      ctorch_scope *scope;
      CTORCH_TRY(ctorch_scope_begin(&scope));
      ctorch_error *error = learn(&self, &round);
      ctorch_scope_end(scope);
      CTORCH_TRY(error);
    }
  }
  return ctorch_error_format(CTORCH_ERROR_RUNTIME, "the score did not reach %g in %d rounds", goal, ROUNDS);
}

int main(void) {
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run();
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
