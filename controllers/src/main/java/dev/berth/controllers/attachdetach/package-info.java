/** Attaches volumes to the nodes whose pods need them, and detaches them again. */
@NullMarked
package dev.berth.controllers.attachdetach;

import org.jspecify.annotations.NullMarked;
