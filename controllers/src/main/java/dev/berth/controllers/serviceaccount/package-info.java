/** Keeps the account that pods run as unless they name another. */
@NullMarked
package dev.berth.controllers.serviceaccount;

import org.jspecify.annotations.NullMarked;
