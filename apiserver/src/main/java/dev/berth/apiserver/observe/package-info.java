/** What is known of a request while it is answered, for those who count and record requests. */
@NullMarked
package dev.berth.apiserver.observe;

import org.jspecify.annotations.NullMarked;
