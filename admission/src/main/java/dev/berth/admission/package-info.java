/** What may be written beyond what is valid, and what is added to it: the policies of a cluster. */
@NullMarked
package dev.berth.admission;

import org.jspecify.annotations.NullMarked;
