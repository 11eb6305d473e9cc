/** Routes of this node to the pods of others. */
@NullMarked
package dev.berth.agent.route;

import org.jspecify.annotations.NullMarked;
