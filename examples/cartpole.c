/* A pole on a cart: its motion by Euler's method. */
#include "cartpole.h"

#include <math.h>

static const double gravity = 9.8, mass_of_cart = 1.0, mass_of_pole = 0.1, half_length = 0.5; /* m/s², kg, kg, m */
static const double force = 10.0, seconds = 0.02;                                             /* N, of a push */
static const double most_angle = 12 * 3.14159265358979 / 180, most_place = 2.4;

/* From -0.05 to 0.05 (Steele & Vigna 2021, a linear congruential generator). */
static float chance(cartpole *self) {
  self->seed = self->seed * UINT64_C(0xd1342543de82ef95) + 1;
  return (float)(self->seed >> 40) / (float)(1 << 24) * 0.1F - 0.05F;
}

void cartpole_reset(cartpole *self) {
  for (int i = 0; i < CARTPOLE_STATE; i++) {
    self->state[i] = chance(self);
  }
  self->steps = 0;
}

bool cartpole_push(cartpole *self, int64_t action) {
  const double speed = self->state[1], angle = self->state[2], turning = self->state[3];
  const double mass = mass_of_cart + mass_of_pole, moment = mass_of_pole * half_length;
  const double pushed = ((action == 1 ? force : -force) + moment * turning * turning * sin(angle)) / mass;
  const double angular = (gravity * sin(angle) - cos(angle) * pushed) /
                         (half_length * (4.0 / 3.0 - mass_of_pole * cos(angle) * cos(angle) / mass));
  const double linear = pushed - moment * angular * cos(angle) / mass;
  self->state[0] += (float)(seconds * speed);
  self->state[1] += (float)(seconds * linear);
  self->state[2] += (float)(seconds * turning);
  self->state[3] += (float)(seconds * angular);
  self->steps++;
  return fabs(self->state[0]) > most_place || fabs(self->state[2]) > most_angle;
}

bool cartpole_is_long_enough(const cartpole *self) { return self->steps >= CARTPOLE_MOST_STEPS; }
