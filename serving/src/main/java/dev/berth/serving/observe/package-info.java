/** What is known of a request while it is answered, for those who count and record requests. */
@NullMarked
package dev.berth.serving.observe;

import org.jspecify.annotations.NullMarked;
