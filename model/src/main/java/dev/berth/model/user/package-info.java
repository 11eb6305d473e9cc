/** Users: who sends a request, with their groups. */
@NullMarked
package dev.berth.model.user;

import org.jspecify.annotations.NullMarked;
