/** How much is used of each ResourceQuota. */
@NullMarked
package dev.berth.controllers.resourcequota;

import org.jspecify.annotations.NullMarked;
