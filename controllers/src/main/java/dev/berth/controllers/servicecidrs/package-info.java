/** Keeps ServiceCIDRs ready, and those that are deleted as long as services need them. */
@NullMarked
package dev.berth.controllers.servicecidrs;

import org.jspecify.annotations.NullMarked;
