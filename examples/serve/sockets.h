/** The sockets of a server's connections: a connection that takes too long is shut down, and one that was answered before
 * its client had sent everything is read to its end, because a socket that is closed with unread bytes resets the
 * connection, and the client loses the answer. */
#ifndef EXAMPLES_SERVE_SOCKETS_H
#define EXAMPLES_SERVE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sockets sockets;
typedef struct connection connection;

/** A deadline that never passes. */
#define SOCKETS_NEVER UINT64_MAX

/**
 * Start the thread that watches them.
 *
 * @param closing_max   how many connections are read to their end at once; further ones are closed.
 * @param closing_time  nanoseconds after which such a connection is closed.
 * @return owned: sockets_stop; NULL without memory or a thread.
 */
sockets *sockets_start(size_t closing_max, uint64_t closing_time);

/**
 * Watch a connection, whose client sends a request.
 *
 * @param self      borrowed.
 * @param file      its socket; borrowed until connection_end.
 * @param deadline  when it is shut down, in the time of clock.h.
 * @return owned: connection_end; NULL without memory.
 */
connection *sockets_add(sockets *self, int file, uint64_t deadline);

/** The client sends a request, for which it has until a deadline. */
void connection_receives(connection *self, uint64_t deadline);

/** The whole request was read: the client waits, or takes the answer, for which it has until a deadline. */
void connection_sends(connection *self, uint64_t deadline);

/**
 * Stop watching a connection whose socket is about to be closed.
 *
 * @param self     owned.
 * @param is_read  whether to go on reading a request that has not come to its end, by a duplicate of the descriptor.
 */
void connection_end(connection *self, bool is_read);

/**
 * Answer a connection that nobody has read, and read it to its end.
 *
 * @param self  borrowed.
 * @param file  its socket; owned.
 * @param text  what is sent; borrowed.
 */
void sockets_answer(sockets *self, int file, const char *text);

/** Whether a connection has bytes that were not read, or is read to its end. */
bool sockets_are_busy(sockets *self);

/** Close what is still read, and stop; NULL is allowed. All connections have ended before. */
void sockets_stop(sockets *self);

#endif
