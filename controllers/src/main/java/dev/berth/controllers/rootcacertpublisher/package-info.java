/** Tells pods whom to trust when they talk to the API server. */
@NullMarked
package dev.berth.controllers.rootcacertpublisher;

import org.jspecify.annotations.NullMarked;
