/** The API over HTTPS. */
@NullMarked
package dev.berth.client.http;

import org.jspecify.annotations.NullMarked;
