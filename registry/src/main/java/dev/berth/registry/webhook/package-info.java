/** How webhooks are called: by admission plugins, and to convert custom resources. */
@NullMarked
package dev.berth.registry.webhook;

import org.jspecify.annotations.NullMarked;
