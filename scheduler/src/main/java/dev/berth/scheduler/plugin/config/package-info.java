/** What a plugin says about its configuration: name, extension points, weight, arguments. */
@NullMarked
package dev.berth.scheduler.plugin.config;

import org.jspecify.annotations.NullMarked;
