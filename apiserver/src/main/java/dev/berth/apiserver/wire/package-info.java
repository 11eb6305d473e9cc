/** Objects in the forms that clients send and ask for beside JSON: protobuf and YAML. */
@NullMarked
package dev.berth.apiserver.wire;

import org.jspecify.annotations.NullMarked;
