/** What pods ask of the machine that they run on, for those who judge it. */
@NullMarked
package dev.berth.model.security;

import org.jspecify.annotations.NullMarked;
