/** Objects in the forms that clients send and ask for beside JSON: protobuf and YAML. */
@NullMarked
package dev.berth.serving.wire;

import org.jspecify.annotations.NullMarked;
