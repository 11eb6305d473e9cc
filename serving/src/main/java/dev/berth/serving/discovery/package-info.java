/** What clients ask first: which groups, versions and resources there are. */
@NullMarked
package dev.berth.serving.discovery;

import org.jspecify.annotations.NullMarked;
