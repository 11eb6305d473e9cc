/** Who sends a request, and whether they may. */
@NullMarked
package dev.berth.apiserver.auth;

import org.jspecify.annotations.NullMarked;
