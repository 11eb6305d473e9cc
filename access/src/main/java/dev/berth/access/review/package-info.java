/** Questions about who somebody is and what they may do, and their answers. */
@NullMarked
package dev.berth.access.review;

import org.jspecify.annotations.NullMarked;
