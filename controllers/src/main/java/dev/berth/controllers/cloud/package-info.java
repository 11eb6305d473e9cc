/** What controllers ask a cloud, and the cloud that is a file. */
@NullMarked
package dev.berth.controllers.cloud;

import org.jspecify.annotations.NullMarked;
