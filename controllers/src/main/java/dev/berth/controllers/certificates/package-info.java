/** Approves, signs and deletes certificate signing requests. */
@NullMarked
package dev.berth.controllers.certificates;

import org.jspecify.annotations.NullMarked;
