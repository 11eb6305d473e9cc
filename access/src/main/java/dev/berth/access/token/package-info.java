/** Bearer tokens: static ones, bootstrap tokens, and those of service accounts. */
@NullMarked
package dev.berth.access.token;

import org.jspecify.annotations.NullMarked;
