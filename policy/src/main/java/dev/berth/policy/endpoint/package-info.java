/** Which pods a service stands for, and in which slices they are written down. */
@NullMarked
package dev.berth.policy.endpoint;

import org.jspecify.annotations.NullMarked;
