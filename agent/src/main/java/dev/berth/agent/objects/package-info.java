/** What pods of this node need of other objects: read from the server, kept, and followed. */
@NullMarked
package dev.berth.agent.objects;

import org.jspecify.annotations.NullMarked;
