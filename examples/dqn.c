/* Deep Q-learning (Mnih et al. 2015, "Human-level control through deep reinforcement learning"): a network learns what each
 * push of a cart is worth from pushes that a buffer remembers, against a copy of itself that lags behind. It stops when
 * the pole has stood for 195 steps in the mean of 20 episodes. */
#include <ctorch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cartpole.h"
#include "perceptron.h"
#include "rows.h"

enum { HIDDEN = 128, REMEMBERED = 10000, BATCH = 64, BEGIN = 500, LAG = 200, MOST_STEPS = 100000, EPISODES = 20 };
static const double discount = 0.99, rate = 5e-4, goal = 195;

/* What was seen, done, and seen then. */
typedef struct memory {
  float states[REMEMBERED][CARTPOLE_STATE], next_states[REMEMBERED][CARTPOLE_STATE], goes_on[REMEMBERED];
  int64_t actions[REMEMBERED], len, next;
} memory;

typedef struct learner {
  ctorch_module *net, *lagging;
  ctorch_optimizer *optimizer;
  memory memory;
} learner;

static ctorch_error *learner_new(learner *self) {
  ctorch_tensor_list *params;
  CTORCH_TRY(perceptron_new(&self->net, "ReLU", CTORCH_INTS(CARTPOLE_STATE, HIDDEN, HIDDEN, CARTPOLE_ACTIONS)));
  CTORCH_TRY(ctorch_module_copy(&self->lagging, self->net));
  CTORCH_TRY(ctorch_module_parameters(&params, self->net, true));
  return ctorch_optim_Adam(
      &self->optimizer, CTORCH_LIST(params), rate, NULL, 0, 1e-8, 0, false, NULL, false, false, false, NULL, false);
}

/* The best push, or now and then any. */
static ctorch_error *choose(int64_t *out, const learner *self, const cartpole *cart, double curiosity) {
  ctorch_tensor *state, *values, *best, *any;
  double chance;
  CTORCH_TRY(ctorch_rand(&any, NULL, 0));
  CTORCH_TRY(ctorch_tensor_item_double(&chance, any));
  if (chance < curiosity) {
    *out = chance < curiosity / 2;
    return NULL;
  }
  CTORCH_TRY(ctorch_tensor_from_data(
      &state, cart->state, sizeof cart->state, CTORCH_INTS(1, CARTPOLE_STATE), CTORCH_DTYPE_FLOAT32));
  CTORCH_TRY(ctorch_module_forward(&values, self->net, state));
  CTORCH_TRY(ctorch_aten_argmax(&best, values, NULL, false));
  return ctorch_tensor_item_int64(out, best);
}

static ctorch_error *learn(learner *self) {
  memory *m = &self->memory;
  ctorch_tensor *places, *states, *actions, *next_states, *goes_on, *values, *targets, *best, *loss;
  CTORCH_TRY(ctorch_randint(&places, m->len, CTORCH_INTS(BATCH)));
  CTORCH_TRY(rows_of(&states, m->states, m->len, CARTPOLE_STATE, CTORCH_DTYPE_FLOAT32, places));
  CTORCH_TRY(rows_of(&next_states, m->next_states, m->len, CARTPOLE_STATE, CTORCH_DTYPE_FLOAT32, places));
  CTORCH_TRY(rows_of(&actions, m->actions, m->len, 1, CTORCH_DTYPE_INT64, places));
  CTORCH_TRY(rows_of(&goes_on, m->goes_on, m->len, 1, CTORCH_DTYPE_FLOAT32, places));
  CTORCH_TRY(ctorch_module_forward(&values, self->net, states));
  CTORCH_TRY(ctorch_aten_gather(&values, values, 1, actions, false));
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(ctorch_module_forward(&targets, self->lagging, next_states));
  CTORCH_TRY(ctorch_aten_amax(&best, targets, CTORCH_INTS(1), true));
  CTORCH_TRY(ctorch_aten_mul_Tensor(&best, best, goes_on));
  CTORCH_TRY(ctorch_aten_ones_like(&targets, best, NULL, NULL, NULL, NULL, NULL)); /* a step is worth 1 */
  CTORCH_TRY(ctorch_aten_add__Tensor(targets, best, CTORCH_FLOAT(discount)));
  CTORCH_TRY(ctorch_grad_mode_pop());
  CTORCH_TRY(ctorch_aten_smooth_l1_loss(&loss, values, targets, CTORCH_REDUCTION_MEAN, 1));
  CTORCH_TRY(ctorch_optimizer_zero_grad(self->optimizer, true));
  CTORCH_TRY(ctorch_tensor_backward(loss, NULL, NULL, false));
  return ctorch_optimizer_step(self->optimizer);
}

/* One push, remembered; true in *ended with the last one of an episode. */
static ctorch_error *step(bool *ended, learner *self, cartpole *cart, int64_t number) {
  memory *m = &self->memory;
  ctorch_value *weights;
  double curiosity = 1 - (double)number / 2000;
  int64_t at = m->next;
  memcpy(m->states[at], cart->state, sizeof cart->state);
  CTORCH_TRY(ctorch_grad_mode_push(false));
  CTORCH_TRY(choose(&m->actions[at], self, cart, curiosity > 0.02 ? curiosity : 0.02));
  CTORCH_TRY(ctorch_grad_mode_pop());
  bool fell = cartpole_push(cart, m->actions[at]);
  memcpy(m->next_states[at], cart->state, sizeof cart->state);
  m->goes_on[at] = !fell;
  m->next = (at + 1) % REMEMBERED;
  m->len += m->len < REMEMBERED;
  *ended = fell || cartpole_is_long_enough(cart);
  if (number >= BEGIN) {
    CTORCH_TRY(learn(self));
  }
  if (number % LAG == 0) {
    CTORCH_TRY(ctorch_module_state_dict(&weights, NULL, self->net, NULL, false));
    CTORCH_TRY(ctorch_module_load_state_dict(NULL, NULL, self->lagging, weights, NULL, true, false));
  }
  return NULL;
}

static ctorch_error *run(learner *self) {
  cartpole cart = {.seed = 1};
  int scores[EPISODES] = {0}, sum = 0, episode = 0;
  CTORCH_TRY(ctorch_threads_set_num(1)); /* the tensors are too small for more */
  CTORCH_TRY(ctorch_random_manual_seed(0));
  CTORCH_TRY(learner_new(self));
  cartpole_reset(&cart);
  for (int64_t number = 1; number <= MOST_STEPS; number++) {
    bool ended;
    ctorch_scope *scope;
    CTORCH_TRY(ctorch_scope_begin(&scope));
    ctorch_error *error = step(&ended, self, &cart, number);
    ctorch_scope_end(scope);
    CTORCH_TRY(error);
    if (ended) {
      sum += cart.steps - scores[episode % EPISODES];
      scores[episode++ % EPISODES] = cart.steps;
      cartpole_reset(&cart);
      const double mean = (double)sum / EPISODES;
      if (episode % 25 == 0 || mean >= goal) {
        printf("step %" PRId64 ", episode %d: score %.1f\n", number, episode, mean);
      }
      if (mean >= goal) {
        return NULL;
      }
    }
  }
  return ctorch_error_format(CTORCH_ERROR_RUNTIME, "the score did not reach %g in %d steps", goal, MOST_STEPS);
}

int main(void) {
  static learner self; /* too large for a stack */
  ctorch_scope *scope = NULL;
  ctorch_error *error = ctorch_scope_begin(&scope);
  if (error == NULL) {
    error = run(&self);
  }
  ctorch_scope_end(scope);
  return ctorch_error_finish(error);
}
