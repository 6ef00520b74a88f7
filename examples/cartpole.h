/** A pole on a cart that is pushed left or right so that it does not fall (Barto, Sutton & Anderson 1983, "Neuronlike
 * adaptive elements that can solve difficult learning control problems"), with the constants that are usual since. */
#ifndef EXAMPLES_CARTPOLE_H
#define EXAMPLES_CARTPOLE_H

#include <stdbool.h>
#include <stdint.h>

enum { CARTPOLE_STATE = 4, CARTPOLE_ACTIONS = 2, CARTPOLE_MOST_STEPS = 500 };

typedef struct cartpole {
  float state[CARTPOLE_STATE]; /* place and speed of the cart (m, m/s), angle and speed of the pole (rad, rad/s) */
  int steps;                   /* since it stood upright; of the last state the score */
  uint64_t seed;
} cartpole;

/** Put the pole upright, but for a little chance. */
void cartpole_reset(cartpole *self);

/** Push for a fiftieth of a second: 0 to the left, 1 to the right. True if the pole has fallen or the cart left its track. */
bool cartpole_push(cartpole *self, int64_t action);

/** Whether it has stood as long as anybody looks. */
bool cartpole_is_long_enough(const cartpole *self);

#endif
