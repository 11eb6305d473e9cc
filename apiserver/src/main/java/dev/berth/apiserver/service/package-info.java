/** What a server does by itself about services: their ranges, their addresses, and its own. */
@NullMarked
package dev.berth.apiserver.service;

import org.jspecify.annotations.NullMarked;
