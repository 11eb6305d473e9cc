/** Ciphers for what is stored. */
@NullMarked
package dev.berth.pki.cipher;

import org.jspecify.annotations.NullMarked;
