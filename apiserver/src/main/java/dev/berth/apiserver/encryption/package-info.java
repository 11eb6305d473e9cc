/** Encryption of objects at rest: which resources, by which providers, with which keys. */
@NullMarked
package dev.berth.apiserver.encryption;

import org.jspecify.annotations.NullMarked;
