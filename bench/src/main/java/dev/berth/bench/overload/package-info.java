/** Node leases while somebody does all they can to hold the server up. */
@NullMarked
package dev.berth.bench.overload;

import org.jspecify.annotations.NullMarked;
