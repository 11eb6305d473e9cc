/** What is served: the declarations of resources and the rules for their objects. */
@NullMarked
package dev.berth.kinds.resource;

import org.jspecify.annotations.NullMarked;
