/** Tables that the server prints for clients. */
@NullMarked
package dev.berth.apiserver.table;

import org.jspecify.annotations.NullMarked;
