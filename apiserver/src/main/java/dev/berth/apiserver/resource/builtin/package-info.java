/** The resources that are built in, with their rules. */
@NullMarked
package dev.berth.apiserver.resource.builtin;

import org.jspecify.annotations.NullMarked;
