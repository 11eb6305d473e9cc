/** Tokens that others issue: OpenID Connect, and the configuration of it. */
@NullMarked
package dev.berth.access.token.oidc;

import org.jspecify.annotations.NullMarked;
